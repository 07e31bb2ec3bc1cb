/** Where a lab's files lie, relative to the project: state, passphrase and credentials, and nothing elsewhere. */
export const LAB = ".lab";

/** `.lab` of the cluster called lab, `.lab/<cluster>` of any other. */
export const labFolder = (cluster: string): string => (cluster === "lab" ? LAB : `${LAB}/${cluster}`);

/** What `labFolder` gives, and nothing else. */
export const labFolderPattern = /^\.lab(\/[a-z0-9-]+)?$/;
