export { cutPage, type Page, type PagePlan, planPage, readInParts } from './page.ts'
export { pageCondition, pageOrder } from './page-sql.ts'
