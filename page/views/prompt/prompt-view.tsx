// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function PromptView() {
  return <Empty title="Nothing yet" />
}
