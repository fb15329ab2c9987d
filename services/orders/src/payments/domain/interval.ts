/** The length of every period of a subscription. */
export interface Interval {
  intervalValue: number
  intervalScale: 'day' | 'week' | 'month' | 'year'
}
