#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// Most of a short run is spent on reading our own code; Node keeps what it made of it for the next.
enableCompileCache()
await import("../dist/bin/main.js")
