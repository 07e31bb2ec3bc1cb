import { notShown, show } from "../../base/show";
import { platformNames } from "../platforms/select";
import type { Rule } from "./input";

const sectionsFitThePlatform: Rule = ({ draft }) => {
  const { platform } = draft;
  if (platform === undefined) return [];
  return platformNames
    .filter((other) => other !== platform && draft[other] !== undefined)
    .map((other) => ({
      key: `${other} and platform`,
      value: "(a mapping)",
      rule: `has no meaning with platform ${platform}`,
      repair: `remove it, or set platform: ${other}`,
    }));
};

const factoryUrlIsOpen: Rule = ({ draft: { factoryUrl } }) => {
  if (factoryUrl === undefined || !/^https?:\/\/[^/]*@/.test(factoryUrl)) return [];
  const rule =
    "holds a user name or password, which would go into every node's config and the state in clear";
  return [{ key: "factoryUrl", value: notShown, rule, repair: "remove everything between // and @" }];
};

/** Refused until it is built: nothing would read it. */
const rebootsAreRefused: Rule = ({ draft: { reboots } }) =>
  reboots !== "rolling"
    ? []
    : [
        {
          key: "reboots",
          value: show(reboots),
          rule: "the program does not reboot nodes one at a time yet, and nothing would read this",
          repair: "set refuse, or remove it",
        },
      ];

export const platformRules = { sectionsFitThePlatform, factoryUrlIsOpen, rebootsAreRefused };
