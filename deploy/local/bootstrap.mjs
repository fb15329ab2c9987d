// The entry point of every npm script. Runs on any version of Node, so that an old one gets a clear error.
const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  console.error(
    `Storekeep needs Node 20 or later; this is Node ${process.versions.node}. Install a newer version and run the command again.`,
  )
  process.exit(1)
}
import('./bootstrap/main.mjs').then(({ main }) => main(process.argv.slice(2)))
