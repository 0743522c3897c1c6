/** Waits for something that uses no CPU, so that another trial can run meanwhile. */
export type Idle = <T>(wait: () => Promise<T>) => Promise<T>;

/** Places on the machine, granted in the order of requests. */
export class Machine {
  readonly places: number;
  #free: number;
  readonly #line: { places: number; go: () => void }[] = [];

  constructor(places: number) {
    this.places = places;
    this.#free = places;
  }

  /** Run work on this number of places once they are free. While it is idle, others can use them. */
  async use<T>(places: number, work: (idle: Idle) => Promise<T>): Promise<T> {
    await this.#take(places);
    try {
      return await work(async (wait) => {
        this.#give(places);
        try {
          return await wait();
        } finally {
          await this.#take(places);
        }
      });
    } finally {
      this.#give(places);
    }
  }

  #take(places: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#line.push({ places, go: resolve });
    this.#serve();
    return promise;
  }

  #give(places: number): void {
    this.#free += places;
    this.#serve();
  }

  /** Only ever the first in line. Otherwise a request for many places could wait forever. */
  #serve(): void {
    for (let next = this.#line[0]; next !== undefined && next.places <= this.#free; next = this.#line[0]) {
      this.#line.shift();
      this.#free -= next.places;
      next.go();
    }
  }
}
