import { fromBinary } from '@bufbuild/protobuf'
import { exportAll } from '@storekeep/common/testing'
import { CustomVariableSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { expect, it } from 'vitest'
import { createTestVariable, dropdown, inStore, option, useCustomVariables } from './harness.ts'

const variables = useCustomVariables()

it('exports custom variables with their options, equal to the latest event', async () => {
  const options = inStore()
  const { id } = await createTestVariable(variables, options, dropdown([option('a'), option('b')]))
  const update = { customVariableId: id, customVariable: { name: 'Ärger' }, updateMask: { paths: ['name'] } }
  const { customVariable } = await variables.client.updateCustomVariable(update, options)
  const { records } = await exportAll(variables.running, 'custom_variable')
  expect(records).toMatchObject([{ id, storeId: options.storeId, version: customVariable?.version }])
  expect(records.map(({ record }) => fromBinary(CustomVariableSchema, record))).toEqual([customVariable])
})
