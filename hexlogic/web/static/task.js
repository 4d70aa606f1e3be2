// Something that takes time: words, a spinner and a way to stop it. One task at a time; the next one stops the last.

const QUIET_MS = 250; // what ends sooner is not announced

export class Task {
  // `complain` gets the errors.
  constructor(holder, complain) {
    this.complain = complain;
    this.holder = holder;
    this.running = null;
    this.words = document.createElement("span");
    const spinner = Object.assign(document.createElement("span"), { className: "spinner", ariaHidden: "true" });
    this.stop = Object.assign(document.createElement("button"), { type: "button", textContent: "Stop" });
    this.stop.onclick = () => this.abort();
    holder.className = "task";
    holder.hidden = true;
    holder.append(spinner, this.words, this.stop);
  }

  get idle() {
    return this.running === null;
  }

  abort() {
    this.running?.abort();
  }

  // What `work`, called with a signal, comes to; undefined when it was stopped or failed.
  async run(words, work) {
    this.abort();
    const running = (this.running = new AbortController());
    const begin = Date.now();
    const tell = () => {
      const seconds = Math.round((Date.now() - begin) / 1000);
      this.words.textContent = seconds > 1 ? `${words}, ${seconds} s` : words;
      this.holder.hidden = false;
    };
    const soon = setTimeout(tell, QUIET_MS);
    const often = setInterval(tell, 1000);
    try {
      return await work(running.signal);
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
