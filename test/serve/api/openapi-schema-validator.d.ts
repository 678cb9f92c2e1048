// As much of the package as the test of the OpenAPI document uses.
declare module "@seriousme/openapi-schema-validator" {
  export class Validator {
    validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>
  }
}
