/**
 * A container runtime for machines where this process has no CAP_SYS_RESOURCE: it takes that capability and a negative
 * oomScoreAdj out of what the container asks for, and then is runc. Go writes this JSON without spaces.
 */
export const runtimeWrapper = (runc: string): string => `#!/bin/sh
bundle=
process=
previous=
for argument; do
  case "$previous" in
    --bundle | -b) bundle=$argument ;;
    --process | -p) process=$argument ;;
  esac
  previous=$argument
done
for file in "$bundle/config.json" "$process"; do
  [ -f "$file" ] && sed -i \\
    -e 's/,"CAP_SYS_RESOURCE"//g' -e 's/"CAP_SYS_RESOURCE",//g' -e 's/"CAP_SYS_RESOURCE"//g' \\
    -e 's/"oomScoreAdj":-[0-9]*/"oomScoreAdj":0/' "$file"
done
exec ${runc} "$@"
`;
