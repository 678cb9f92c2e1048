// PLACEHOLDER
import { Empty } from "../../parts/notice.tsx"

export default function ChatView() {
  return <Empty title="Nothing yet" />
}
