/** hetzner: both roles grow and shrink; members join etcd, and leave it before their machine goes. */
import type { Session } from "../../../rehearsal/session";
import { expectedMembers, members, openSized, resize, type Sizes } from "../../engine/support/growth";
import { succeeded } from "../../engine/support/open";

jest.setTimeout(180_000);

const small: Sizes = { controlPlanes: 1, workers: 1 };
const large: Sizes = { controlPlanes: 3, workers: 2 };

let session: Session;

beforeAll(async () => (session = await openSized("hetzner", small)));
afterAll(async () => session.close());

test("one control plane and one worker come up", async () => {
  succeeded(await session.up());
  expect(await members(session)).toEqual(expectedMembers("hetzner", small));
});

test("they become three and two in one run", async () => {
  expect(await resize(session, large)).toEqual(expectedMembers("hetzner", large));
});

test("and one and one again: who goes has left etcd and Kubernetes before", async () => {
  expect(await resize(session, small)).toEqual(expectedMembers("hetzner", small));
});

test("a destroy leaves nothing", async () => {
  succeeded(await session.destroy());
  expect(session.world.leftovers()).toEqual([]);
});
