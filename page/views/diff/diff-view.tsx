// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function DiffView() {
  return <Empty title="Nothing yet" />
}
