import type { Request, Response } from 'express'

/** A step in the handling of a request. Throws to end it with an error response. */
export type Step = (req: Request, res: Response) => Promise<void> | void
