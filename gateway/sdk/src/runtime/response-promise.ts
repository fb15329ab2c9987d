import { collect, type Page, type ToArrayOptions } from './page.ts'

/** A successful response. */
export interface ApiResponse<T> {
  data: T
  status: number
  /** Value of `x-request-id`. */
  requestId: string | undefined
  headers: Headers
}

/** Resolves to the record; `withResponse` also gives the status and headers. */
export interface ResponsePromise<T> extends Promise<T> {
  withResponse(): Promise<ApiResponse<T>>
}

/** Resolves to a page. Iterate over it to get the items of this and all following pages. */
export interface PagePromise<Item, Body = Item[]> extends ResponsePromise<Page<Item, Body>>, AsyncIterable<Item> {
  /** The first items of the list, at most `limit`. @throws TypeError unless `limit` is a positive integer */
  toArray(options: ToArrayOptions): Promise<Item[]>
}

export function responsePromise<T>(response: Promise<ApiResponse<T>>): ResponsePromise<T> {
  const data = response.then((one) => one.data)
  return Object.assign(data, {
    withResponse() {
      // A failure is reported to the caller that awaits the response, so it is not unhandled.
      data.catch(() => {})
      return response
    },
  })
}

export function pagePromise<Item, Body>(response: Promise<ApiResponse<Page<Item, Body>>>): PagePromise<Item, Body> {
  const promise = responsePromise(response)
  return Object.assign(promise, {
    async toArray(options: ToArrayOptions) {
      return await collect(await promise, options)
    },
    async *[Symbol.asyncIterator]() {
      yield* await promise
    },
  })
}
