export { cutPage, type Page, type PagePlan, planPage } from './page.ts'
export { pageCondition, pageOrder } from './page-sql.ts'
