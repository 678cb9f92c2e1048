// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function CostView() {
  return <Empty title="Nothing yet" />
}
