/** The module. `import` would evaluate every export, among them those of the WebSocket client: 7 MB and a tenth of a start. */
export const http = process.getBuiltinModule('node:http')
