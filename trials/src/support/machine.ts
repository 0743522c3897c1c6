/** Waits for what takes its time without work, so that another trial can work meanwhile. */
export type Idle = <T>(wait: () => Promise<T>) => Promise<T>;

/** Places on the machine, given to those who asked first. */
export class Machine {
  readonly places: number;
  #free: number;
  readonly #line: { places: number; go: () => void }[] = [];

  constructor(places: number) {
    this.places = places;
    this.#free = places;
  }

  /** Work on so many places once they are free; while it is idle, they are others'. */
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

  /** Only ever the first in line: who needs many places would else wait for ever. */
  #serve(): void {
    for (let next = this.#line[0]; next !== undefined && next.places <= this.#free; next = this.#line[0]) {
      this.#line.shift();
      this.#free -= next.places;
      next.go();
    }
  }
}
