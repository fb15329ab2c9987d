// Imports the migrate.ts of several services in turn. The argument is a JSON array of their database URLs and entry files.
const targets: [databaseUrl: string, entry: string][] = JSON.parse(process.argv[2] ?? '[]')
for (const [databaseUrl, entry] of targets) {
  // biome-ignore lint/style/noProcessEnv: migrate.ts reads its settings from the environment.
  process.env.DATABASE_URL = databaseUrl
  await import(entry)
}
