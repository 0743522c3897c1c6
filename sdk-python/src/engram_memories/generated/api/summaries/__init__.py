# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
