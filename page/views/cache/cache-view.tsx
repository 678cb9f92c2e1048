// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function CacheView() {
  return <Empty title="Nothing yet" />
}
