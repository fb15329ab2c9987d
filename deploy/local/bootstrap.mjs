// The entry of every npm script. Runs on whatever Node the machine has, so that even an old one gets a clear answer.
const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  console.error(
    `Storekeep needs Node 20 or later, this is Node ${process.versions.node}. Install a newer one and run the command again.`,
  )
  process.exit(1)
}
import('./bootstrap/main.mjs').then(({ main }) => main(process.argv.slice(2)))
