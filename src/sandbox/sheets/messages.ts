// The public messages of Sheets v4 that this service reads and sends, one line each: "name" is text, "name:i"
// an integer, ":d" a double, ":b" a boolean, ":*" anything, ":[]X" a list of X, else a message or an enum.

export const enums: Record<string, string[]> = {
  Dimension: ['DIMENSION_UNSPECIFIED', 'ROWS', 'COLUMNS'],
  ValueInputOption: ['INPUT_VALUE_OPTION_UNSPECIFIED', 'RAW', 'USER_ENTERED'],
  InsertDataOption: ['OVERWRITE', 'INSERT_ROWS'],
  ValueRenderOption: ['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'],
  DateTimeRenderOption: ['SERIAL_NUMBER', 'FORMATTED_STRING'],
  PasteType: [
    'PASTE_NORMAL',
    'PASTE_VALUES',
    'PASTE_FORMAT',
    'PASTE_NO_BORDERS',
    'PASTE_FORMULA',
    'PASTE_DATA_VALIDATION',
    'PASTE_CONDITIONAL_FORMATTING',
  ],
  PasteOrientation: ['NORMAL', 'TRANSPOSE'],
  MergeType: ['MERGE_ALL', 'MERGE_COLUMNS', 'MERGE_ROWS'],
  NumberFormatType: [
    'NUMBER_FORMAT_TYPE_UNSPECIFIED',
    'TEXT',
    'NUMBER',
    'PERCENT',
    'CURRENCY',
    'DATE',
    'TIME',
    'DATE_TIME',
    'SCIENTIFIC',
  ],
  DeveloperMetadataVisibility: ['DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED', 'DOCUMENT', 'PROJECT'],
  DeveloperMetadataLocationType: [
    'DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED',
    'ROW',
    'COLUMN',
    'SHEET',
    'SPREADSHEET',
  ],
  DeveloperMetadataLocationMatchingStrategy: [
    'DEVELOPER_METADATA_LOCATION_MATCHING_STRATEGY_UNSPECIFIED',
    'EXACT_LOCATION',
    'INTERSECTING_LOCATION',
  ],
  SheetType: ['SHEET_TYPE_UNSPECIFIED', 'GRID', 'OBJECT', 'DATA_SOURCE'],
  HorizontalAlign: ['HORIZONTAL_ALIGN_UNSPECIFIED', 'LEFT', 'CENTER', 'RIGHT'],
  VerticalAlign: ['VERTICAL_ALIGN_UNSPECIFIED', 'TOP', 'MIDDLE', 'BOTTOM'],
  WrapStrategy: ['WRAP_STRATEGY_UNSPECIFIED', 'OVERFLOW_CELL', 'LEGACY_WRAP', 'CLIP', 'WRAP'],
}

export const messages: Record<string, string> = {
  AddNamedRangeRequest: 'namedRange:NamedRange',
  AddNamedRangeResponse: 'namedRange:NamedRange',
  AddProtectedRangeRequest: 'protectedRange:ProtectedRange',
  AddProtectedRangeResponse: 'protectedRange:ProtectedRange',
  AddSheetRequest: 'properties:SheetProperties',
  AddSheetResponse: 'properties:SheetProperties',
  AppendCellsRequest: 'fields rows:[]RowData sheetId:i tableId',
  AppendDimensionRequest: 'dimension:Dimension length:i sheetId:i',
  AppendValuesResponse: 'spreadsheetId tableRange updates:UpdateValuesResponse',
  AutoResizeDimensionsRequest:
    'dataSourceSheetDimensions:DataSourceSheetDimensionRange dimensions:DimensionRange',
  BasicFilter: 'criteria:* filterSpecs:[]FilterSpec range:GridRange sortSpecs:[]SortSpec tableId',
  BatchClearValuesRequest: 'ranges:[]s',
  BatchClearValuesResponse: 'clearedRanges:[]s spreadsheetId',
  BatchGetValuesResponse: 'spreadsheetId valueRanges:[]ValueRange',
  BatchUpdateSpreadsheetRequest:
    'includeSpreadsheetInResponse:b requests:[]Request responseIncludeGridData:b responseRanges:[]s',
  BatchUpdateSpreadsheetResponse: 'replies:[]Response spreadsheetId updatedSpreadsheet:Spreadsheet',
  BatchUpdateValuesRequest:
    'data:[]ValueRange includeValuesInResponse:b responseDateTimeRenderOption:DateTimeRenderOption responseValueRenderOption:ValueRenderOption valueInputOption:ValueInputOption',
  BatchUpdateValuesResponse:
    'responses:[]UpdateValuesResponse spreadsheetId totalUpdatedCells:i totalUpdatedColumns:i totalUpdatedRows:i totalUpdatedSheets:i',
  BooleanCondition: 'type values:[]ConditionValue',
  Border: 'color:Color colorStyle:ColorStyle style width:i',
  Borders: 'bottom:Border left:Border right:Border top:Border',
  CellData:
    'chipRuns:[]* dataSourceFormula:* dataSourceTable:* dataValidation:* effectiveFormat:CellFormat effectiveValue:ExtendedValue formattedValue hyperlink note pivotTable:* textFormatRuns:[]TextFormatRun userEnteredFormat:CellFormat userEnteredValue:ExtendedValue',
  CellFormat:
    'backgroundColor:Color backgroundColorStyle:ColorStyle borders:Borders horizontalAlignment:HorizontalAlign hyperlinkDisplayType numberFormat:NumberFormat padding:Padding textDirection textFormat:TextFormat textRotation:TextRotation verticalAlignment:VerticalAlign wrapStrategy:WrapStrategy',
  ClearBasicFilterRequest: 'sheetId:i',
  ClearValuesRequest: '',
  ClearValuesResponse: 'clearedRange spreadsheetId',
  Color: 'alpha:d blue:d green:d red:d',
  ColorStyle: 'rgbColor:Color themeColor',
  ConditionValue: 'relativeDate userEnteredValue',
  CopyPasteRequest:
    'destination:GridRange pasteOrientation:PasteOrientation pasteType:PasteType source:GridRange',
  CopySheetToAnotherSpreadsheetRequest: 'destinationSpreadsheetId',
  CreateDeveloperMetadataRequest: 'developerMetadata:DeveloperMetadata',
  CreateDeveloperMetadataResponse: 'developerMetadata:DeveloperMetadata',
  DataFilter: 'a1Range developerMetadataLookup:DeveloperMetadataLookup gridRange:GridRange',
  DataSourceColumnReference: 'name',
  DataSourceSheetDimensionRange: 'columnReferences:[]DataSourceColumnReference sheetId:i',
  DeleteDeveloperMetadataRequest: 'dataFilter:DataFilter',
  DeleteDeveloperMetadataResponse: 'deletedDeveloperMetadata:[]DeveloperMetadata',
  DeleteDimensionRequest: 'range:DimensionRange',
  DeleteNamedRangeRequest: 'namedRangeId',
  DeleteProtectedRangeRequest: 'protectedRangeId:i',
  DeleteSheetRequest: 'sheetId:i',
  DeveloperMetadata:
    'location:DeveloperMetadataLocation metadataId:i metadataKey metadataValue visibility:DeveloperMetadataVisibility',
  DeveloperMetadataLocation:
    'dimensionRange:DimensionRange locationType:DeveloperMetadataLocationType sheetId:i spreadsheet:b',
  DeveloperMetadataLookup:
    'locationMatchingStrategy:DeveloperMetadataLocationMatchingStrategy locationType:DeveloperMetadataLocationType metadataId:i metadataKey metadataLocation:DeveloperMetadataLocation metadataValue visibility:DeveloperMetadataVisibility',
  DimensionGroup: 'collapsed:b depth:i range:DimensionRange',
  DimensionProperties:
    'dataSourceColumnReference:DataSourceColumnReference developerMetadata:[]DeveloperMetadata hiddenByFilter:b hiddenByUser:b pixelSize:i',
  DimensionRange: 'dimension:Dimension endIndex:i sheetId:i startIndex:i',
  DuplicateSheetRequest: 'insertSheetIndex:i newSheetId:i newSheetName sourceSheetId:i',
  DuplicateSheetResponse: 'properties:SheetProperties',
  Editors: 'domainUsersCanEdit:b groups:[]s users:[]s',
  ErrorValue: 'message type',
  ExtendedValue: 'boolValue:b errorValue:ErrorValue formulaValue numberValue:d stringValue',
  FilterCriteria:
    'condition:BooleanCondition hiddenValues:[]s visibleBackgroundColor:Color visibleBackgroundColorStyle:ColorStyle visibleForegroundColor:Color visibleForegroundColorStyle:ColorStyle',
  FilterSpec:
    'columnIndex:i dataSourceColumnReference:DataSourceColumnReference filterCriteria:FilterCriteria',
  GridCoordinate: 'columnIndex:i rowIndex:i sheetId:i',
  GridData:
    'columnMetadata:[]DimensionProperties rowData:[]RowData rowMetadata:[]DimensionProperties startColumn:i startRow:i',
  GridProperties:
    'columnCount:i columnGroupControlAfter:b frozenColumnCount:i frozenRowCount:i hideGridlines:b rowCount:i rowGroupControlAfter:b',
  GridRange: 'endColumnIndex:i endRowIndex:i sheetId:i startColumnIndex:i startRowIndex:i',
  InsertDimensionRequest: 'inheritFromBefore:b range:DimensionRange',
  IterativeCalculationSettings: 'convergenceThreshold:d maxIterations:i',
  Link: 'uri',
  MatchedDeveloperMetadata: 'dataFilters:[]DataFilter developerMetadata:DeveloperMetadata',
  MergeCellsRequest: 'mergeType:MergeType range:GridRange',
  NamedRange: 'name namedRangeId range:GridRange',
  NumberFormat: 'pattern type:NumberFormatType',
  Padding: 'bottom:i left:i right:i top:i',
  ProtectedRange:
    'description editors:Editors namedRangeId protectedRangeId:i range:GridRange requestingUserCanEdit:b tableId unprotectedRanges:[]GridRange warningOnly:b',
  RepeatCellRequest: 'cell:CellData fields range:GridRange',
  Request:
    'addBanding:* addChart:* addConditionalFormatRule:* addDataSource:* addDimensionGroup:* addFilterView:* addNamedRange:AddNamedRangeRequest addProtectedRange:AddProtectedRangeRequest addSheet:AddSheetRequest addSlicer:* addTable:* appendCells:AppendCellsRequest appendDimension:AppendDimensionRequest autoFill:* autoResizeDimensions:AutoResizeDimensionsRequest cancelDataSourceRefresh:* clearBasicFilter:ClearBasicFilterRequest copyPaste:CopyPasteRequest createDeveloperMetadata:CreateDeveloperMetadataRequest cutPaste:* deleteBanding:* deleteConditionalFormatRule:* deleteDataSource:* deleteDeveloperMetadata:DeleteDeveloperMetadataRequest deleteDimension:DeleteDimensionRequest deleteDimensionGroup:* deleteDuplicates:* deleteEmbeddedObject:* deleteFilterView:* deleteNamedRange:DeleteNamedRangeRequest deleteProtectedRange:DeleteProtectedRangeRequest deleteRange:* deleteSheet:DeleteSheetRequest deleteTable:* duplicateFilterView:* duplicateSheet:DuplicateSheetRequest findReplace:* insertDimension:InsertDimensionRequest insertRange:* mergeCells:MergeCellsRequest moveDimension:* pasteData:* randomizeRange:* refreshDataSource:* repeatCell:RepeatCellRequest setBasicFilter:SetBasicFilterRequest setDataValidation:* sortRange:* textToColumns:* trimWhitespace:* unmergeCells:UnmergeCellsRequest updateBanding:* updateBorders:* updateCells:UpdateCellsRequest updateChartSpec:* updateConditionalFormatRule:* updateDataSource:* updateDeveloperMetadata:UpdateDeveloperMetadataRequest updateDimensionGroup:* updateDimensionProperties:UpdateDimensionPropertiesRequest updateEmbeddedObjectBorder:* updateEmbeddedObjectPosition:* updateFilterView:* updateNamedRange:UpdateNamedRangeRequest updateProtectedRange:UpdateProtectedRangeRequest updateSheetProperties:UpdateSheetPropertiesRequest updateSlicerSpec:* updateSpreadsheetProperties:UpdateSpreadsheetPropertiesRequest updateTable:*',
  Response:
    'addBanding:* addChart:* addDataSource:* addDimensionGroup:* addFilterView:* addNamedRange:AddNamedRangeResponse addProtectedRange:AddProtectedRangeResponse addSheet:AddSheetResponse addSlicer:* addTable:* cancelDataSourceRefresh:* createDeveloperMetadata:CreateDeveloperMetadataResponse deleteConditionalFormatRule:* deleteDeveloperMetadata:DeleteDeveloperMetadataResponse deleteDimensionGroup:* deleteDuplicates:* duplicateFilterView:* duplicateSheet:DuplicateSheetResponse findReplace:* refreshDataSource:* trimWhitespace:* updateConditionalFormatRule:* updateDataSource:* updateDeveloperMetadata:UpdateDeveloperMetadataResponse updateEmbeddedObjectPosition:*',
  RowData: 'values:[]CellData',
  SearchDeveloperMetadataRequest: 'dataFilters:[]DataFilter',
  SearchDeveloperMetadataResponse: 'matchedDeveloperMetadata:[]MatchedDeveloperMetadata',
  SetBasicFilterRequest: 'filter:BasicFilter',
  Sheet:
    'bandedRanges:[]* basicFilter:BasicFilter charts:[]* columnGroups:[]DimensionGroup conditionalFormats:[]* data:[]GridData developerMetadata:[]DeveloperMetadata filterViews:[]* merges:[]GridRange properties:SheetProperties protectedRanges:[]ProtectedRange rowGroups:[]DimensionGroup slicers:[]* tables:[]*',
  SheetProperties:
    'dataSourceSheetProperties:* gridProperties:GridProperties hidden:b index:i rightToLeft:b sheetId:i sheetType:SheetType tabColor:Color tabColorStyle:ColorStyle title',
  SortSpec:
    'backgroundColor:Color backgroundColorStyle:ColorStyle dataSourceColumnReference:DataSourceColumnReference dimensionIndex:i foregroundColor:Color foregroundColorStyle:ColorStyle sortOrder',
  Spreadsheet:
    'dataSources:[]* dataSourceSchedules:[]* developerMetadata:[]DeveloperMetadata namedRanges:[]NamedRange properties:SpreadsheetProperties sheets:[]Sheet spreadsheetId spreadsheetUrl',
  SpreadsheetProperties:
    'autoRecalc defaultFormat:CellFormat importFunctionsExternalUrlAccessAllowed:b iterativeCalculationSettings:IterativeCalculationSettings locale spreadsheetTheme:SpreadsheetTheme timeZone title',
  SpreadsheetTheme: 'primaryFontFamily themeColors:[]ThemeColorPair',
  TextFormat:
    'bold:b fontFamily fontSize:i foregroundColor:Color foregroundColorStyle:ColorStyle italic:b link:Link strikethrough:b underline:b',
  TextFormatRun: 'format:TextFormat startIndex:i',
  TextRotation: 'angle:i vertical:b',
  ThemeColorPair: 'color:ColorStyle colorType',
  UnmergeCellsRequest: 'range:GridRange',
  UpdateCellsRequest: 'fields range:GridRange rows:[]RowData start:GridCoordinate',
  UpdateDeveloperMetadataRequest: 'dataFilters:[]DataFilter developerMetadata:DeveloperMetadata fields',
  UpdateDeveloperMetadataResponse: 'developerMetadata:[]DeveloperMetadata',
  UpdateDimensionPropertiesRequest:
    'dataSourceSheetRange:DataSourceSheetDimensionRange fields properties:DimensionProperties range:DimensionRange',
  UpdateNamedRangeRequest: 'fields namedRange:NamedRange',
  UpdateProtectedRangeRequest: 'fields protectedRange:ProtectedRange',
  UpdateSheetPropertiesRequest: 'fields properties:SheetProperties',
  UpdateSpreadsheetPropertiesRequest: 'fields properties:SpreadsheetProperties',
  UpdateValuesResponse:
    'spreadsheetId updatedCells:i updatedColumns:i updatedData:ValueRange updatedRange updatedRows:i',
  ValueRange: 'majorDimension:Dimension range values:[]*',
}
