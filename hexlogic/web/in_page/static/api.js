// Messages to Python in workers of this page, in the place of a server: the same functions, the same answers.

const QUICK_S = 20; // for what follows each click
const LATE_MS = 1000; // what nobody waits for any more may still take so long

const stopped = (words) => ({ answer: { problem: { message: words, line: null, column: null } } });

// A worker that answers one question after the other; it is ended when it must not go on, and the next question begins
// another one. `seconds` is the limit of an answer.
class Helper {
  constructor(seconds, late) {
    Object.assign(this, { seconds, late, worker: null, ready: false, asked: null, waiting: [] });
  }

  ask(route, message, signal, told) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const question = { route, message, resolve, reject, told };
      signal?.addEventListener("abort", () => {
        this.waiting = this.waiting.filter((other) => other !== question);
        reject(signal.reason);
        if (this.asked === question) this.#endIn(this.late, () => {});
      });
      this.waiting.push(question);
      this.begin();
      this.#next();
    });
  }

  begin() {
    if (this.worker !== null) return;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.#heard(data);
    this.worker.onerror = (event) => this.#heard({ failed: event.message || "Python does not start in this browser" });
  }

  #next() {
    if (this.asked !== null || this.waiting.length === 0) return;
    if (!this.ready) return this.waiting[0].told?.("starting Python");
    this.asked = this.waiting.shift();
    const { route, message, resolve } = this.asked;
    this.worker.postMessage({ route, message: JSON.stringify(message) });
    const { asked } = this;
    this.#endIn(1000 * this.seconds, () => {
      resolve(stopped([`this was stopped after ${this.seconds} s`, asked.far].filter(Boolean).join(": ")));
    });
  }

  #endIn(milliseconds, then) {
    clearTimeout(this.limit);
    this.limit = setTimeout(() => {
      this.#end();
      then();
    }, milliseconds);
  }

  #end() {
    clearTimeout(this.limit);
    this.worker.terminate();
    Object.assign(this, { worker: null, ready: false, asked: null });
    this.begin();
  }

  #heard(data) {
    if (data.ready) this.ready = true;
    else if ("progress" in data) {
      if (this.asked !== null) this.asked.far = data.progress;
      return this.asked?.told?.(data.progress);
    } else {
      clearTimeout(this.limit);
      const { asked } = this;
      this.asked = null;
      if ("failed" in data) {
        // What has failed may be in any state.
        const all = this.ready ? [asked] : this.waiting.splice(0);
        this.worker.terminate();
        Object.assign(this, { worker: null, ready: false });
        for (const question of all) question?.reject(new Error(data.failed));
        if (this.waiting.length > 0) this.begin();
      } else asked?.resolve(data);
    }
    this.#next();
  }
}

const quick = new Helper(QUICK_S, LATE_MS);
const proofs = new Helper(3600, 0); // of their own, so that the board answers meanwhile
const ROUTES = { prove: proofs };
for (const route of ["board", "state", "move", "write", "read", "facts", "rules", "evaluate", "difference"]) ROUTES[route] = quick;

export async function ask(route, message, signal, told) {
  const helper = ROUTES[route];
  if (helper === undefined) throw new Error("this needs a server: hexlogic play");
  const data = await helper.ask(route, message, signal, told);
  if ("error" in data) throw Object.assign(new Error(data.error), { line: data.line, column: data.column });
  return data.answer;
}

export const askInLines = ask;
