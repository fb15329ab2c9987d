import { describe, expect, it } from 'vitest'
import { isWebAddress, maxWebAddressLength, secureAddressViolation, webAddressViolation } from './index.ts'

describe('a web address', () => {
  it.each([
    'https://shop.example.com',
    'HTTP://shop.example.com:8080/a?b=c#d',
    'https://[::1]/x',
    'https://shop.example.com?to=someone@example.com',
  ])('may be %s', (text) => {
    expect(isWebAddress(text)).toBe(true)
  })

  it.each([
    'javascript:alert(1)',
    '//shop.example.com',
    'https:///x',
    'https://',
    'https://user:password@shop.example.com',
    'https://@shop.example.com/',
    'https://:@shop.example.com',
    'https://shop.example.com\\@evil.example',
    'https://shop.example.com/a b',
    'https://shop.example.com/\u0007',
    'https://shop.example.com:99999',
  ])('is never %s', (text) => {
    expect(isWebAddress(text)).toBe(false)
  })
})

describe('an optional web address', () => {
  const longest = 'https://shop.example.com/'.padEnd(maxWebAddressLength, 'a')

  it.each([undefined, null, longest])('may be %s', (text) => {
    expect(webAddressViolation('url', text)).toBeUndefined()
  })

  it.each([
    ['', 'format'],
    ['javascript:alert(1)', 'format'],
    [`${longest}a`, 'length'],
  ])('is never %s', (text, validation) => {
    expect(webAddressViolation('url', text)).toMatchObject({ path: 'url', validation })
  })
})

describe('an optional secure address', () => {
  it.each([
    undefined,
    null,
    'https://cdn.example.com/vip.png',
    'http://127.0.0.1:8081/vip.png',
    'http://localhost/vip.png',
    'http://[::1]/vip.png',
  ])('may be %s', (text) => {
    expect(secureAddressViolation('url', text)).toBeUndefined()
  })

  it.each([
    'http://cdn.example.com/vip.png',
    'http://127.0.0.1.example.com/vip.png',
    'http://10.0.0.1/vip.png',
    'https://user@cdn.example.com/vip.png',
    'data:image/png;base64,AA==',
  ])('is never %s', (text) => {
    expect(secureAddressViolation('url', text)).toMatchObject({ path: 'url', validation: 'format' })
  })
})
