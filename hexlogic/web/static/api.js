// Messages to the server: JSON there, JSON back; what a person got wrong is an Error with its message.

export async function ask(route, message, signal) {
  const reply = await fetch(`api/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal,
  });
  const data = await reply.json().catch(() => ({ error: `the server answers ${reply.status}` }));
  if (!reply.ok) throw Object.assign(new Error(data.error), { line: data.line, column: data.column });
  return data;
}
