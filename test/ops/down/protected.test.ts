import { down } from "../../../ops/down/run";
import { labPlan } from "../../support/plans";

test("a lab with deletionProtection stays whole: its containers are not killed before a destroy that is refused", async () => {
  const plan = labPlan({ docker: { host: `unix:///nowhere/none.sock` }, deletionProtection: true });
  const args = { stack: "lab", project: "talos-fleet", plan, print: () => undefined };
  for (const machinesOnly of [true, false]) {
    await expect(down({ ...args, machinesOnly })).rejects.toThrow(
      "deletionProtection: true: keeps the cluster from being removed; set it to false in Pulumi.lab.yaml first",
    );
  }
});
