// Something that takes time: words, a spinner and a way to stop it. One task at a time; the next one stops the last.

const QUIET_MS = 250; // what ends sooner is not announced

const number = (text) => Number(text.replaceAll(",", ""));

export class Task {
  // `complain` gets the errors.
  constructor(holder, complain) {
    this.complain = complain;
    this.holder = holder;
    this.running = null;
    this.words = document.createElement("span");
    this.bar = document.createElement("progress");
    this.bar.hidden = true;
    const spinner = Object.assign(document.createElement("span"), { className: "spinner", ariaHidden: "true" });
    this.stop = Object.assign(document.createElement("button"), { type: "button", textContent: "Stop" });
    this.stop.onclick = () => this.abort();
    holder.className = "task";
    holder.hidden = true;
    holder.append(spinner, this.words, this.bar, this.stop);
  }

  get idle() {
    return this.running === null;
  }

  abort() {
    this.running?.abort();
  }

  // What `work` comes to, undefined when it was stopped or failed. It is called with a signal and with a function that
  // shows how far it is, in words such as "12 of 64 positions".
  async run(words, work) {
    this.abort();
    this.bar.hidden = true;
    let far = "";
    const running = (this.running = new AbortController());
    const begin = Date.now();
    const tell = () => {
      const seconds = Math.round((Date.now() - begin) / 1000);
      this.words.textContent = [words, far, seconds > 1 ? `${seconds} s` : ""].filter(Boolean).join(", ");
      this.holder.hidden = false;
    };
    const soon = setTimeout(tell, QUIET_MS);
    const often = setInterval(tell, 1000);
    try {
      return await work(running.signal, (now) => {
        if (running.signal.aborted) return;
        far = now;
        const [, done, all] = now.match(/([\d,]+) of ([\d,]+)/) ?? [];
        this.bar.hidden = all === undefined;
        if (all) Object.assign(this.bar, { max: number(all), value: number(done) });
      });
    } catch (error) {
      if (error.name !== "AbortError") this.complain(error);
      return undefined;
    } finally {
      clearTimeout(soon);
      clearInterval(often);
      if (this.running === running) {
        this.holder.hidden = true;
        this.running = null;
      }
    }
  }
}
