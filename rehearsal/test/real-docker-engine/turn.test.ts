import { waitForTurn } from "../../real-docker-engine/turn";

const onLinux = process.platform === "linux" ? test : test.skip;
const name = `\0talos-fleet-test-${process.pid}`;

onLinux("one engine at a time on Linux (the only system that a real engine is started on)", async () => {
  const leave = await waitForTurn(1000, name);
  await expect(waitForTurn(0, name)).rejects.toThrow("another real engine");

  const second = waitForTurn(10_000, name);
  await leave();
  await (
    await second
  )();
});
