import { describe, expect, it } from 'vitest'
import { assertSameOrigin } from './assert-same-origin.ts'

const own = 'https://pay.example'

describe('a submitted form', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin' },
    // What browsers send under `Referrer-Policy: no-referrer`.
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'same-origin', origin: own },
    { origin: own },
  ])('is accepted from our pages: %j', (headers) => {
    expect(() => assertSameOrigin({ headers }, own)).not.toThrow()
  })

  it.each([
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'https://pay.example.evil.example' },
    { origin: 'http://pay.example' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'same-site', origin: own },
    { 'sec-fetch-site': 'none', origin: own },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  ])('is rejected from elsewhere: %j', (headers) => {
    expect(() => assertSameOrigin({ headers }, own)).toThrow('not submitted from this site')
  })
})
