/** What Hetzner sells, as far as a fleet needs it. Prices: EU, net EUR a month, 2026-06-15. */

export interface Location {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly country: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly network_zone: string;
}

export interface ServerType {
  readonly id: number;
  readonly name: string;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly architecture: "x86" | "arm";
  readonly cpu: "shared" | "dedicated";
  readonly category: string;
  readonly monthly: number;
  /** Names of the locations that know this type. */
  readonly locations: readonly string[];
  /** Orderable where nothing else is said. */
  readonly inStock: boolean;
}

export interface LoadBalancerType {
  readonly id: number;
  readonly name: string;
  readonly maxServices: number;
  readonly maxTargets: number;
  readonly maxConnections: number;
  readonly monthly: number;
}

export const locations: readonly Location[] = (
  [
    [1, "fsn1", "DE", "Falkenstein", 50.47612, 12.370071, "eu-central"],
    [2, "nbg1", "DE", "Nuremberg", 49.452102, 11.076665, "eu-central"],
    [3, "hel1", "FI", "Helsinki", 60.169855, 24.938379, "eu-central"],
    [4, "ash", "US", "Ashburn, VA", 39.045821, -77.487073, "us-east"],
    [5, "hil", "US", "Hillsboro, OR", 45.54222, -122.951924, "us-west"],
    [6, "sin", "SG", "Singapore", 1.283333, 103.833333, "ap-southeast"],
  ] as const
).map(([id, name, country, city, latitude, longitude, network_zone]) => ({
  id,
  name,
  description: `${city} DC Park 1`,
  country,
  city,
  latitude,
  longitude,
  network_zone,
}));

const everywhere = locations.map((location) => location.name);
const europe = ["fsn1", "nbg1", "hel1"];

type TypeRow = readonly [
  id: number,
  name: string,
  cores: number,
  memory: number,
  disk: number,
  monthly: number,
];

const family = (
  rows: readonly TypeRow[],
  rest: Omit<ServerType, "id" | "name" | "cores" | "memory" | "disk" | "monthly">,
) =>
  rows.map(([id, name, cores, memory, disk, monthly]) => ({
    id,
    name,
    cores,
    memory,
    disk,
    monthly,
    ...rest,
  }));

/** CX and CAX were sold out in September 2026; a session can put them back. */
export const serverTypes: readonly ServerType[] = [
  ...family(
    [
      [109, "cpx12", 1, 2, 40, 11.99],
      [110, "cpx22", 2, 4, 80, 19.99],
      [111, "cpx32", 4, 8, 160, 35.99],
      [112, "cpx42", 8, 16, 320, 69.99],
    ],
    {
      architecture: "x86",
      cpu: "shared",
      category: "Regular Performance",
      locations: everywhere,
      inStock: true,
    },
  ),
  ...family(
    [
      [96, "ccx13", 2, 8, 80, 43.49],
      [97, "ccx23", 4, 16, 160, 86.49],
      [98, "ccx33", 8, 32, 240, 138.99],
      [99, "ccx43", 16, 64, 360, 276.49],
    ],
    {
      architecture: "x86",
      cpu: "dedicated",
      category: "General Purpose",
      locations: everywhere,
      inStock: true,
    },
  ),
  ...family(
    [
      [114, "cx23", 2, 4, 40, 5.99],
      [115, "cx33", 4, 8, 80, 8.99],
      [116, "cx43", 8, 16, 160, 16.49],
      [117, "cx53", 16, 32, 320, 29.99],
    ],
    { architecture: "x86", cpu: "shared", category: "Cost-Optimized", locations: europe, inStock: false },
  ),
  ...family(
    [
      [45, "cax11", 2, 4, 40, 6.49],
      [93, "cax21", 4, 8, 80, 10.99],
      [94, "cax31", 8, 16, 160, 21.49],
      [95, "cax41", 16, 32, 320, 41.49],
    ],
    { architecture: "arm", cpu: "shared", category: "Cost-Optimized", locations: europe, inStock: false },
  ),
];

export const loadBalancerTypes: readonly LoadBalancerType[] = [
  { id: 1, name: "lb11", maxServices: 5, maxTargets: 25, maxConnections: 10000, monthly: 7.49 },
  { id: 2, name: "lb21", maxServices: 15, maxTargets: 75, maxConnections: 20000, monthly: 22.49 },
  { id: 3, name: "lb31", maxServices: 30, maxTargets: 150, maxConnections: 40000, monthly: 44.99 },
];

export const isos = [
  {
    id: 125127,
    name: "talos-1.12.4-amd64.iso",
    description: "Talos Linux 1.12.4",
    type: "public",
    architecture: "x86",
    deprecation: null,
  },
] as const;

const money = (net: number) => ({ net: net.toFixed(10), gross: (net * 1.19).toFixed(10) });

const terabyte = 1024 ** 4;

/** Prices of a type in each of its locations. */
export const pricesOf = (monthly: number, places: readonly string[]) =>
  places.map((location) => ({
    location,
    price_hourly: money(monthly / 624),
    price_monthly: money(monthly),
    included_traffic: 20 * terabyte,
    price_per_tb_traffic: money(1),
  }));

const locationPrices = (monthly: number) =>
  europe.map((location) => ({ location, price_hourly: money(monthly / 624), price_monthly: money(monthly) }));

/** The answer of `GET /pricing`. */
export const pricing = {
  currency: "EUR",
  vat_rate: "19.00",
  image: { price_per_gb_month: money(0.0143) },
  volume: { price_per_gb_month: money(0.0572) },
  server_backup: { percentage: "20.0000000000" },
  floating_ip: { price_monthly: money(3) },
  floating_ips: [{ type: "ipv4", prices: locationPrices(3).map(({ price_hourly: _, ...rest }) => rest) }],
  primary_ips: [
    { type: "ipv4", prices: locationPrices(0.5) },
    { type: "ipv6", prices: locationPrices(0) },
  ],
  server_types: serverTypes.map(({ id, name, monthly, locations: places }) => ({
    id,
    name,
    prices: pricesOf(monthly, places),
  })),
  load_balancer_types: loadBalancerTypes.map(({ id, name, monthly }) => ({
    id,
    name,
    prices: pricesOf(monthly, everywhere),
  })),
};

export const zoneOf = (location: string): string =>
  locations.find((entry) => entry.name === location)?.network_zone ?? "";
