// Work that several events can request at the same time.

/** Work that runs once at a time, and once more if it was requested meanwhile. */
export class Coalesced {
    #work;
    #delay;
    #running;
    #isRequested = false;

    /**
     * @param {(...values: any[]) => Promise<any>} work
     * @param {number} delay in milliseconds: requests within this time are one request
     */
    constructor(work, delay = 0) {
        this.#work = work;
        this.#delay = delay;
    }

    get isRunning() {
        return this.#running !== undefined;
    }

    /** The result of the last run: nothing that was requested is missing in it. */
    run(...values) {
        this.#isRequested = true;
        this.#running ??= this.#repeat(values);
        return this.#running;
    }

    async #repeat(values) {
        try {
            let result;
            do {
                await new Promise((resolve) => setTimeout(resolve, this.#delay));
                this.#isRequested = false;
                result = await this.#work(...values);
            } while (this.#isRequested);
            return result;
        } finally {
            this.#running = undefined;
        }
    }
}
