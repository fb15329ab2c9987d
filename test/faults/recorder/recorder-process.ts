import { createRecorder } from './create-recorder.ts'

/** Runs a recorder in a separate process that tests can kill. `RecorderSettings` come as JSON in the first argument. */
createRecorder(JSON.parse(process.argv[2] ?? '{}')).consumer.start()
