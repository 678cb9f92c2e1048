// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function WhatIfView() {
  return <Empty title="Nothing yet" />
}
