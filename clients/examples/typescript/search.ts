/**
 * Searches a namespace of a running Anamnesis and prints the hits.
 *
 *     npm run search -- --namespace demo --user mara "what is Mara allergic to?"
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { RetrievalService } from "anamnesis-client/anamnesis/retrieval/v1/retrieval_service_pb.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: "string", default: "127.0.0.1:50051" },
    namespace: { type: "string", default: "default" },
    user: { type: "string", default: "" },
    limit: { type: "string", default: "3" },
    "tls-ca": { type: "string" },
    "api-key-file": { type: "string" },
  },
});
if (positionals.length === 0) {
  console.error("usage: npm run search -- [options] QUESTION");
  process.exit(2);
}

const roots = values["tls-ca"];
const transport = createGrpcTransport({
  baseUrl: `${roots ? "https" : "http"}://${values.server}`,
  nodeOptions: roots ? { ca: readFileSync(roots) } : {},
});

const keyFile = values["api-key-file"];
const headers = keyFile
  ? { authorization: `Bearer ${readFileSync(keyFile, "utf8").trim()}` }
  : undefined;

const client = createClient(RetrievalService, transport);
const answer = await client.search(
  {
    namespace: values.namespace,
    query: positionals.join(" "),
    limit: Number(values.limit),
    caller: { userId: values.user },
  },
  { headers, timeoutMs: 10_000 },
);
for (const { score, memory } of answer.results) {
  console.log(`${score.toFixed(2).padStart(6)}  ${memory?.pointer}  ${memory?.summary}`);
}
