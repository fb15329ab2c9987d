import { Socket } from 'node:net'
import pg from 'pg'

/** A client of `pg` whose connection can be closed while statements are running, for which `end` waits. */
export class ClosableClient extends pg.Client {
  readonly #socket: Socket
  #isClosed = false
  constructor(config: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
  }

  /** Fails the running statements. Postgres notices within `client_connection_check_interval` and ends them, too. */
  close(): void {
    this.#isClosed = true
    this.#socket.destroy(new Error('Connection terminated: it is no longer needed'))
  }

  /** True if this process has closed it, and not the server. */
  get isClosed(): boolean {
    return this.#isClosed
  }
}
