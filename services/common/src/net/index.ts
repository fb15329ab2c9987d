export { http } from './http.ts'
export { listen } from './listen.ts'
export { networksToBlockList, parseNetworks } from './networks.ts'
