// Messages to the server: JSON there, JSON back; what a person got wrong is an Error with its message.

const send = (route, message, signal) =>
  fetch(`api/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal,
  });

async function read(reply) {
  const data = await reply.json().catch((error) => {
    if (reply.ok) throw error; // stopped while it was read
    return { error: `the server answers ${reply.status}` };
  });
  if (!reply.ok) throw Object.assign(new Error(data.error), { line: data.line, column: data.column });
  return data;
}

export async function ask(route, message, signal) {
  return read(await send(route, message, signal));
}

// A question whose answer comes line by line: `told` is called with each report of progress.
export async function askInLines(route, message, signal, told) {
  const reply = await send(route, message, signal);
  if (!reply.ok) return read(reply);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the server has ended before its answer");
    text += value;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) {
      const data = JSON.parse(line);
      if ("error" in data) throw new Error(data.error);
      if ("result" in data) return data.result;
      told(data.progress);
    }
  }
}
