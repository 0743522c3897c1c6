import { type Random, toRandom, uniform } from "../../../support/random.ts";
import { MONTH_DAYS } from "../cost/prices.ts";
import { GAP_SECONDS, PEAK, requestsPerSession, type Tenant } from "./tenants.ts";
import { Server, Timeline } from "./timeline.ts";

const DAY_MS = 86_400_000;
/** As in the service: places.ts, keys/cache.ts, cell.ts, and the timer of usage. */
const [PLACE_MS, KEY_MS, SWEEP_MS, USAGE_MS] = [60_000, 5_000, 60_000, 60_000];
/** Appends of which one is followed by embedding a window, with this number of calls. */
const [APPENDS_PER_WINDOW, INDEX_READS] = [3, 3];
/** Calls of one sweep of D1, which the cron starts each minute. */
const [CRON_MS, CRON_CALLS] = [60_000, 28];

/** Time of a call in milliseconds. Documented by Cloudflare for D1, measured in workerd, or assumed: see the README. */
export interface Times {
  read: number;
  write: number;
  /** A search, without the time in which it waits for the model. */
  search: number;
  sweep: number;
  /** The first call of an object that is not in memory. */
  coldStart: number;
  /** Time without calls after which an object is no longer in memory. */
  inMemory: number;
}

export const TIMES: Times = { read: 1, write: 5, search: 10, sweep: 30, coldStart: 100, inMemory: 10_000 };

export interface Scenario {
  tenant: Tenant;
  organizations: number;
  /** Isolates that the requests of one organization reach. */
  isolates: number;
  /** Time over which the daily sweeps of idle cells are spread. */
  idleSweepsOverMs: number;
  /** Multiple of the mean rate. */
  peak: number;
  seconds: number;
  times: Times;
  seed: number;
}

export const scenarioOf = (tenant: Tenant, more: Partial<Scenario> = {}): Scenario => ({
  tenant,
  organizations: 100_000,
  isolates: 4,
  idleSweepsOverMs: DAY_MS,
  peak: PEAK,
  seconds: 3_600,
  times: TIMES,
  seed: 1,
  ...more,
});

/** Counts over all of the time, and what each call waited, in milliseconds. */
export interface Load {
  seconds: number;
  requests: number;
  answered: number;
  directory: {
    reads: number;
    writes: number;
    busy: number;
    waitsMs: readonly number[];
    busiestSecond: number;
  };
  /** All cells together; the busiest second is that of one cell. */
  cells: { calls: number; coldStarts: number; waitsMs: readonly number[]; busiestSecond: number };
  alarms: number;
  /** Alarms in each second. */
  alarmsBySecond: readonly number[];
  /** Time of each request, without the network and models. */
  requestsMs: readonly number[];
}

/** What is known of an organization that was used. */
interface Organization {
  cell: Server;
  isWarm: boolean;
  appends: number;
  /** Whether a sweep is planned in the next minute. */
  hasAlarm: boolean;
  /** Until when each isolate knows the place and the key, and whether it has counts of usage. */
  isolates: { placeMs: number; keyMs: number; hasCounts: boolean }[];
}

/** Simulates the directory, the cells and their alarms. The same scenario always gives the same load. */
export function simulate(scenario: Scenario): Load {
  const simulation = new Simulation(scenario);
  return simulation.run();
}

class Simulation {
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #timeline = new Timeline();
  readonly #directory = new Server();
  readonly #organizations = new Map<number, Organization>();
  readonly #alarmsBySecond: number[];
  readonly #requestsMs: number[] = [];
  #requests = 0;
  #reads = 0;
  #writes = 0;
  #coldStarts = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#random = toRandom(uniform(scenario.seed));
    this.#alarmsBySecond = Array.from({ length: scenario.seconds }, () => 0);
  }

  run(): Load {
    const { seconds } = this.#scenario;
    this.#planIdleSweeps();
    this.#planSessions();
    this.#planCron();
    this.#timeline.run(seconds * 1_000);
    const cells = [...this.#organizations.values()].map(({ cell }) => cell);
    const { busyMs, waitsMs, busiestSecond } = this.#directory;
    return {
      seconds,
      requests: this.#requests,
      answered: this.#requestsMs.length,
      directory: {
        ...{ reads: this.#reads, writes: this.#writes, waitsMs, busiestSecond },
        busy: busyMs / (seconds * 1_000),
      },
      cells: {
        calls: cells.reduce((sum, cell) => sum + cell.waitsMs.length, 0),
        coldStarts: this.#coldStarts,
        waitsMs: cells.flatMap((cell) => cell.waitsMs),
        busiestSecond: cells.reduce((most, cell) => Math.max(most, cell.busiestSecond), 0),
      },
      alarms: this.#alarmsBySecond.reduce((sum, count) => sum + count, 0),
      alarmsBySecond: this.#alarmsBySecond,
      requestsMs: this.#requestsMs,
    };
  }

  /** Idle cells sweep once a day, each at a time of its own. */
  #planIdleSweeps(): void {
    const { organizations, idleSweepsOverMs, seconds } = this.#scenario;
    for (let i = 0; i < organizations; i++) {
      const atMs = this.#random.next() * idleSweepsOverMs;
      if (atMs < seconds * 1_000) this.#timeline.after(atMs, () => this.#planAlarm(this.#of(i), 0));
    }
  }

  /** Sessions begin at random times, independently of each other. */
  #planSessions(): void {
    const { organizations, tenant, peak } = this.#scenario;
    const everyMs = (MONTH_DAYS * DAY_MS) / (organizations * tenant.sessions * peak);
    const next = () =>
      this.#timeline.after(-Math.log(1 - this.#random.next()) * everyMs, () => {
        this.#session();
        next();
      });
    next();
  }

  #planCron(): void {
    const { times } = this.#scenario;
    this.#timeline.after(CRON_MS, () => {
      const step = (left: number) => {
        if (left > 0) this.#directory.call(this.#timeline, times.read, () => step(left - 1));
      };
      step(CRON_CALLS);
      this.#planCron();
    });
  }

  #session(): void {
    const { organizations, tenant } = this.#scenario;
    const organization = this.#of(this.#random.between(0, organizations - 1));
    const count = requestsPerSession(tenant);
    for (let i = 0; i < count; i++)
      this.#timeline.after(i * GAP_SECONDS * 1_000, () => this.#request(organization));
  }

  /** A message or a search, in one of the isolates: finds the place, the key, and then does its work. */
  #request(organization: Organization): void {
    const { tenant, times, isolates } = this.#scenario;
    this.#requests += 1;
    const isolate = organization.isolates[this.#random.between(0, isolates - 1)];
    if (isolate === undefined) throw new RangeError("no isolate");
    const isSearch = this.#random.next() < tenant.searches / (tenant.searches + tenant.messages);
    const startMs = this.#timeline.nowMs;
    const answered = () => this.#requestsMs.push(this.#timeline.nowMs - startMs);
    this.#findPlace(isolate, () =>
      this.#findKey(organization, isolate, () => {
        this.#countUsage(organization, isolate);
        if (isSearch) this.#call(organization, times.search, answered);
        else this.#append(organization, answered);
      }),
    );
  }

  #findPlace(isolate: { placeMs: number }, then: () => void): void {
    if (isolate.placeMs > this.#timeline.nowMs) {
      then();
      return;
    }
    this.#reads += 1;
    this.#directory.call(this.#timeline, this.#scenario.times.read, () => {
      isolate.placeMs = this.#timeline.nowMs + PLACE_MS;
      then();
    });
  }

  #findKey(organization: Organization, isolate: { keyMs: number }, then: () => void): void {
    if (isolate.keyMs > this.#timeline.nowMs) {
      then();
      return;
    }
    this.#call(organization, this.#scenario.times.read, () => {
      isolate.keyMs = this.#timeline.nowMs + KEY_MS;
      then();
    });
  }

  #append(organization: Organization, answered: () => void): void {
    const { read } = this.#scenario.times;
    this.#write(organization, answered);
    organization.appends += 1;
    if (organization.appends % APPENDS_PER_WINDOW !== 0) return;
    for (let i = 0; i < INDEX_READS; i++) this.#call(organization, read, () => {});
    this.#write(organization, () => {});
  }

  /** An isolate writes its counts a minute after the first of them. */
  #countUsage(organization: Organization, isolate: { placeMs: number; hasCounts: boolean }): void {
    if (isolate.hasCounts) return;
    isolate.hasCounts = true;
    this.#timeline.after(USAGE_MS, () => {
      isolate.hasCounts = false;
      this.#findPlace(isolate, () => this.#write(organization, () => {}));
    });
  }

  #write(organization: Organization, done: () => void): void {
    this.#call(organization, this.#scenario.times.write, done);
    this.#planAlarm(organization, SWEEP_MS);
  }

  #planAlarm(organization: Organization, afterMs: number): void {
    if (organization.hasAlarm) return;
    organization.hasAlarm = true;
    this.#timeline.after(afterMs, () => this.#alarm(organization));
  }

  /** A sweep, and the report of the size to the directory. */
  #alarm(organization: Organization): void {
    const second = Math.floor(this.#timeline.nowMs / 1_000);
    this.#alarmsBySecond[second] = (this.#alarmsBySecond[second] ?? 0) + 1;
    organization.hasAlarm = false;
    this.#call(organization, this.#scenario.times.sweep, () => {
      this.#writes += 1;
      this.#directory.call(this.#timeline, this.#scenario.times.write);
    });
  }

  #call(organization: Organization, takesMs: number, done: () => void): void {
    const { coldStart, inMemory } = this.#scenario.times;
    const isCold = !organization.isWarm || organization.cell.isIdle(this.#timeline, inMemory);
    organization.isWarm = true;
    if (isCold) this.#coldStarts += 1;
    organization.cell.call(this.#timeline, takesMs + (isCold ? coldStart : 0), done);
  }

  #of(number: number): Organization {
    const known = this.#organizations.get(number);
    if (known !== undefined) return known;
    const isolates = Array.from({ length: this.#scenario.isolates }, () => {
      return { placeMs: 0, keyMs: 0, hasCounts: false };
    });
    const created = {
      ...{ cell: new Server(), isWarm: false, appends: 0, hasAlarm: false },
      isolates,
    };
    this.#organizations.set(number, created);
    return created;
  }
}
