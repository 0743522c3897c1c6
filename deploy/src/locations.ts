/** Where D1 can create a database: https://developers.cloudflare.com/d1/configuration/data-location/ */
export const LOCATION_NAMES = {
  wnam: "Western North America",
  enam: "Eastern North America",
  weur: "Western Europe",
  eeur: "Eastern Europe",
  apac: "Asia-Pacific",
  oc: "Oceania",
} as const;

export type Location = keyof typeof LOCATION_NAMES;

export const LOCATIONS = Object.keys(LOCATION_NAMES) as Location[];

export function isLocation(text: string): text is Location {
  return Object.hasOwn(LOCATION_NAMES, text);
}
