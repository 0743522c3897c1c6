/**
 * The regions of D1 by the location hint that creates a database there, as
 * https://developers.cloudflare.com/d1/configuration/data-location/ lists them.
 *
 * `placement` is the cloud region near which the Worker of such a database runs, in the form of
 * https://developers.cloudflare.com/workers/configuration/placement/. Cloudflare documents none for a region of D1.
 * Each is close to the data centers that databases of the region name as `served_by_colo` in outputs of
 * `wrangler d1 execute` that users have published. There was no such output for Oceania.
 */
export const REGIONS = {
  wnam: { name: "Western North America", placement: "aws:us-west-1" }, // SJC, LAX
  enam: { name: "Eastern North America", placement: "aws:us-east-1" }, // EWR
  weur: { name: "Western Europe", placement: "azure:westeurope" }, // AMS, LHR
  eeur: { name: "Eastern Europe", placement: "aws:eu-central-1" }, // FRA, MXP
  apac: { name: "Asia-Pacific", placement: "aws:ap-southeast-1" }, // SIN, also KIX, NRT, HKG
  oc: { name: "Oceania", placement: "aws:ap-southeast-2" },
} as const;

export type Location = keyof typeof REGIONS;

export const LOCATIONS = Object.keys(REGIONS) as Location[];

export function isLocation(text: string): text is Location {
  return Object.hasOwn(REGIONS, text);
}
