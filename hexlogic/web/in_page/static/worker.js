// Python and clingo in a worker: says `ready`, then answers one question, `{route, message}`, after the other.

import makeClingo from "./clingo-wasm/clingo.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

let clingo = null;
let [out, err, bytes, place] = [[], [], new Uint8Array(), 0];

// clingo as it is after its start; one that has run out of memory cannot be used again.
async function startClingo() {
  clingo = await makeClingo({
    print: (line) => out.push(line),
    printErr: (line) => err.push(line),
    stdin: () => (place < bytes.length ? bytes[place++] : null),
  });
}

// The text is given as standard input, for an argument of clingo's must fit on its stack.
function run(text, options) {
  [out, err, bytes, place] = [[], [], new TextEncoder().encode(text), 0];
  try {
    const status = clingo.ccall("run", "number", ["string", "string"], ["", `/dev/stdin ${options}`]);
    return [status, out.join("\n"), err.join("\n")];
  } catch (error) {
    clingo = null;
    return [33, "", `clingo has stopped: ${error.message ?? error}`];
  }
}

const bytesOf = async (file) => (await fetch(new URL(file, import.meta.url))).arrayBuffer();

async function start() {
  const base = new URL("pyodide/", import.meta.url).href;
  const [python, archive, wheel] = await Promise.all([
    loadPyodide({ indexURL: base }),
    bytesOf("hexlogic.zip"),
    bytesOf("msgspec.whl"),
    startClingo(),
  ]);
  const places = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(archive, "zip", { extractDir: places });
  python.unpackArchive(wheel, "wheel");
  const answering = python.pyimport("hexlogic.web.in_page.answering");
  answering.begin(run);
  return answering;
}

const started = start();
started.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: `Python does not start in this browser: ${error.message ?? error}` }),
);

addEventListener("message", async ({ data: { route, message } }) => {
  try {
    const answering = await started;
    if (clingo === null) await startClingo();
    postMessage(JSON.parse(answering.answer(route, message, (value) => postMessage({ progress: JSON.parse(value) }))));
  } catch (error) {
    postMessage({ failed: (error.message ?? String(error)).trim().split("\n").at(-1) });
  }
});
