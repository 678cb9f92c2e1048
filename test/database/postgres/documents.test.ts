// The contract of documents, on PostgreSQL.
import { describe, onTestFinished } from "vitest"
import { openDocuments } from "../../../src/database/postgres/documents/documents.ts"
import { openPostgres } from "../../../src/database/postgres/open-postgres.ts"
import { documentsContract } from "../contract/documents-contract.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "documents in PostgreSQL", () => {
  const server = testServer()
  documentsContract(async () => {
    const postgres = await openPostgres(server.newUrl())
    onTestFinished(() => postgres.close())
    return (agent) => openDocuments(postgres, agent)
  })
})
