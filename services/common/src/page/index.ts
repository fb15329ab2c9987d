export { cutPage, type Page, type PagePlan, planPage } from './page.ts'
