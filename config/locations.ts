/** Hetzner's locations and the network zone each lies in (docs.hetzner.com/cloud/general/locations). */
export const networkZones: Readonly<Record<string, string>> = {
  fsn1: "eu-central",
  nbg1: "eu-central",
  hel1: "eu-central",
  ash: "us-east",
  hil: "us-west",
  sin: "ap-southeast",
};

/** Targets a load balancer type takes. */
export const loadBalancerTargets: Readonly<Record<string, number>> = { lb11: 25, lb21: 75, lb31: 150 };
