// Calls every tool of `anamnesis mcp` through the TypeScript SDK of the protocol.
//
//   node walk.mjs http://127.0.0.1:8765/mcp
//   node walk.mjs anamnesis mcp --embedded /tmp/anamnesis-walk
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [where, ...args] = process.argv.slice(2);
const transport = where.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(where), {
      requestInit: { headers: { "x-anamnesis-user": "mara" } },
    })
  : new StdioClientTransport({ command: where, args, env: process.env });
const client = new Client({ name: "walk", version: "1.0.0" });
await client.connect(transport);

async function call(name, given) {
  const answer = await client.callTool({ name, arguments: given });
  assert(!answer.isError, answer.content[0].text);
  console.log(`${name}: ${answer.content[0].text.replaceAll("\n", " ").slice(0, 100)}`);
  return answer;
}

const { tools } = await client.listTools();
console.log(`${tools.length} tools: ${tools.map((tool) => tool.name).join(", ")}`);
assert(tools.every((tool) => tool.title && tool.outputSchema && tool.annotations));

const text = "Mara is allergic to hazelnuts.";
const { id, pointer } = (await call("remember", { text, tags: ["health"] })).structuredContent;
const recalled = await call("recall", { query: "Which nuts may Mara not eat?" });
assert(recalled.content[0].text.includes(pointer));
await call("timeline", { query: "hazelnuts", since: "yesterday" });
await call("profile", { subject: "Mara" });
const read = await call("get", { ids: [pointer] });
assert.equal(read.structuredContent.memories[0].text, text);
const found = JSON.parse((await call("search", { query: "hazelnuts" })).content[0].text);
const document = JSON.parse((await call("fetch", { id: found.results[0].id })).content[0].text);
assert.deepEqual(Object.keys(document).sort(), ["id", "metadata", "text", "title", "url"]);
const resource = await client.readResource({ uri: document.url });
assert.equal(resource.contents[0].text, text);
await call("forget", { query: "hazelnuts" });
await call("forget", { ids: [id], dry_run: false });
const gone = await call("get", { ids: [id] });
assert.deepEqual(gone.structuredContent.missing, [id]);

const refused = await client.callTool({
  name: "recall",
  arguments: { query: "What is there?", namespace: "other" },
});
assert(refused.isError);
console.log("another namespace: refused");
await client.close();
