import type { Jurisdiction, LocationHint, Place } from "@engram/spec";

/** Where an organization is. Only one that is in a cell can have a jurisdiction or a location. */
export interface Residence {
  place: Place;
  jurisdiction: Jurisdiction | null;
  location: LocationHint | null;
}

export const IN_D1: Residence = { place: "d1", jurisdiction: null, location: null };

export type FindResidence = (organizationId: string) => Residence | Promise<Residence>;

/** Durable Objects, each of which belongs to the organization whose id is its name. */
export interface ObjectNamespace<Stub> {
  getByName(organizationId: string, options?: { locationHint?: LocationHint }): Stub;
  /** @throws {Error} if the runtime has no jurisdictions. */
  jurisdiction(jurisdiction: Jurisdiction): ObjectNamespace<Stub>;
}

/**
 * The object of an organization. Nothing else may look one up: the same name in another jurisdiction is another object.
 */
export function objectOf<Stub>(
  namespace: ObjectNamespace<Stub>,
  organizationId: string,
  { jurisdiction, location }: Residence,
): Stub {
  const objects = jurisdiction === null ? namespace : namespace.jurisdiction(jurisdiction);
  // Only the first call, which creates the object, heeds the hint.
  return objects.getByName(organizationId, location === null ? {} : { locationHint: location });
}

/** Whether the runtime keeps objects in this jurisdiction. The open source runtime of Workers has none. */
export function hasJurisdiction(namespace: ObjectNamespace<unknown>, jurisdiction: Jurisdiction): boolean {
  try {
    namespace.jurisdiction(jurisdiction);
    return true;
  } catch {
    return false;
  }
}
