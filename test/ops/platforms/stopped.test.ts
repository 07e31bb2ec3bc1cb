import { stoppedNodes } from "../../../ops/platforms/docker/stopped";

const container = (name: string, state: string, status: string) => ({
  Names: [`/${name}`],
  State: state,
  Status: status,
});

test("stopped and missing containers are told with their cure; running and restarting ones are waited for", () => {
  const containers = [
    container("lab-controlplane-1", "exited", "Exited (137) 5 seconds ago"),
    container("lab-worker-1", "running", "Up 2 minutes"),
    container("lab-worker-2", "restarting", "Restarting (129) 1 second ago"),
    container("other", "exited", "Exited (0) 2 days ago"),
  ];
  const cure = "pulumi refresh, then pulumi up makes it again (make up does both)";
  expect(
    stoppedNodes(["lab-controlplane-1", "lab-worker-1", "lab-worker-2", "lab-worker-3"], containers),
  ).toEqual({
    "lab-controlplane-1": `its container is stopped (Exited (137) 5 seconds ago): ${cure}`,
    "lab-worker-3": `its container is not there: ${cure}`,
  });
});
