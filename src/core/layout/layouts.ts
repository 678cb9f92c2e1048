// The two layouts, by the `order` that a profile asks for. No other file looks at it.
import type { Profile } from "../model/profile.ts"
import { declared } from "./declared.ts"
import type { Layout } from "./layout.ts"
import { paced } from "./paced.ts"

export function layoutOf({ order }: Pick<Profile, "order">): Layout {
  return order === "declared" ? declared : paced
}
