// Starts the page: what this server shows to this caller comes first, because everything else depends on it.
import { render } from "preact"
import { loadInfo } from "./data/info.ts"
import { App } from "./shell/app.tsx"
import { startTheme } from "./shell/theme.ts"
import "./style/tokens.css"
import "./style/base.css"
import "./style/print.css"

startTheme()
const app = document.getElementById("app")
if (app !== null) render(<App />, app)
void loadInfo()
